"""The store in SQL: SQLite for a program on its own, PostgreSQL through the same statements."""

from typing import Self

from sqlalchemy import URL
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.storage.boards import SqlBoards
from adapters.storage.corrections import SqlCorrections
from adapters.storage.dailies import SqlDailies
from adapters.storage.database import Database
from adapters.storage.guarding import Guard
from adapters.storage.notes import SqlNotes
from adapters.storage.packs import SqlPacks
from adapters.storage.people import SqlPeople
from adapters.storage.persons import Kin
from adapters.storage.privacy import SqlPrivacy
from adapters.storage.ranking import Place, Shape
from adapters.storage.recording import Recorder
from adapters.storage.records import SqlRecords
from adapters.storage.remembering import Remembered
from adapters.storage.responses import SqlResponses
from adapters.storage.review import SqlReview
from adapters.storage.sessions import SqlSessions
from adapters.storage.tidying import SqlTidying
from adapters.storage.writing import Line
from bot.people import Participant, Room


class SqlStore(
    SqlPeople,
    SqlSessions,
    SqlResponses,
    SqlBoards,
    SqlPrivacy,
    SqlNotes,
    SqlTidying,
    SqlReview,
    SqlRecords,
    SqlPacks,
    SqlCorrections,
    SqlDailies,
):
    """Everything that is kept, in one database."""

    def __init__(self, url: URL) -> None:
        """Take the address of a database that has its tables (`opening.open_store` sees to it)."""
        self._database = Database(url)
        self._guard = Guard(self._database)
        self._rooms = Remembered[Room]()
        self._people = Remembered[Participant]()
        self._forgotten = Remembered[bool](seconds=600.0)
        self._shapes = Remembered[Shape](seconds=60.0, most=100)
        self._large = set[Place]()
        self._kin = Remembered[Kin](seconds=60.0, most=100)
        self._line = Line(database=self._database, recorder=Recorder(self._database))

    @property
    def engine(self) -> AsyncEngine:
        """Give the engine, for whoever counts or watches what it does."""
        return self._database.engine

    @property
    def waiting(self) -> int:
        """Count the writes that wait for the next commit."""
        return self._line.waiting

    @property
    def shared(self) -> bool:
        """Tell whether several processes may well work on this database."""
        return self._guard.shared

    async def lead(self, name: str) -> bool:
        """Become the one process that does something, or make sure that it still is this one.

        Raises StoreError while that cannot be known.
        """
        return await self._guard.lead(name)

    async def close(self) -> None:
        """Finish what was handed in, and close every connection."""
        await self._line.finish()
        await self._guard.close()
        await self._database.close()

    async def __aenter__(self) -> Self:
        """Use the store in a block that closes it."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the store."""
        await self.close()
