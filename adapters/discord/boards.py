"""Boards: a leaderboard for everybody to see, and each person's own place for them alone."""

from dataclasses import replace

from adapters.discord.drawing import draw
from adapters.discord.reception import Reception
from adapters.discord.visit import Visit
from bot.actions import Action, Verb
from bot.commands import Place
from bot.desk import Request
from bot.menus import notice
from bot.panels import Button
from bot.ports import Merit, Period, Scope
from bot.summing import leaderboard, own_place
from bot.wording import Words, choose, words

Wanted = tuple[Period, Scope, Merit]


async def show_board(reception: Reception, visit: Visit, request: Request, wanted: Wanted) -> None:
    """Post a leaderboard in the language of the room, and tell the person where they stand."""
    period, scope, merit = wanted
    board = await reception.desk.board(request, period, scope, merit)
    public = request.place is Place.ROOM
    spoken = _language(visit, request) if public else reception.desk.words(request)
    shown = replace(board, mine=None) if public else board
    panel = leaderboard(shown, period, merit, _title(visit, scope, spoken), spoken)
    where = Action(
        verb=Verb.BOARD, turn=list(Scope).index(scope), value=f"{period.value}.{merit.value}"
    )
    buttons = (Button(label=spoken.say("Where am I?"), action=where),) if board.rows else ()
    panel = replace(panel, language=spoken.language, buttons=buttons if public else ())
    if not public:
        await visit.say(draw(panel))
    elif await reception.post(visit, panel):
        mine = own_place(board, reception.desk.words(request))
        await visit.say(draw(notice(mine)))


def _language(visit: Visit, request: Request) -> Words:
    guild = visit.interaction.guild_locale
    return words(choose(request.room.settings.language, guild.value if guild else ""))


def _title(visit: Visit, scope: Scope, spoken: Words) -> str:
    channel = getattr(visit.interaction.channel, "name", None)
    guild = visit.interaction.guild
    match scope:
        case Scope.ROOM:
            return f"#{channel}" if channel else ""
        case Scope.COMMUNITY:
            return (guild.name if guild else "") or spoken.say("this server")
        case Scope.EVERYWHERE:
            return spoken.say("everywhere")
