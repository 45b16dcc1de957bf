"""Starts Kuis against the tests' own Discord: only the two addresses differ from `kuis`."""

import os

import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from adapters.cli import main

PORT = os.environ["KUIS_TEST_DISCORD"]

Route.BASE = f"http://127.0.0.1:{PORT}/api/v10"
DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://127.0.0.1:{PORT}/gateway/")

if __name__ == "__main__":
    main()
