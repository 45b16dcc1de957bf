"""Insight: how often keys are suspected rightly and wrongly, and what pictures cost others.

    python -m bench.insight

Classes are made up (`tests.helpers.learning.answered`): abilities are normal, questions between
easy and hard, and answers follow a logistic curve. In half of the classes one key is wrong.
"""

import asyncio
from collections.abc import Awaitable
from statistics import median
from time import perf_counter

from adapters.pictures import Studio
from bot.analysis import analyse
from bot.posters import Poster, poster
from bot.wording import words
from tests.helpers.learning import answered, diligent, items, progressed

QUESTIONS = 40
CLASSES = {35: 60, 60: 40, 250: 15}
PLANTED = 7
SAMPLES = 5


def main() -> None:
    """Print what was found."""
    found = {item.id: item for item in items(QUESTIONS)}
    print("people  wrong keys found  sound keys suspected (of 40)")
    for people, classes in CLASSES.items():
        named = innocent = 0
        for seed in range(classes):
            wrong = analyse(answered(people, QUESTIONS, planted=PLANTED, seed=2000 + seed), found)
            right = analyse(answered(people, QUESTIONS, seed=1000 + seed), found)
            suspects = [one.item for one in wrong if one.doubt]
            named += f"p{PLANTED:02}" in suspects
            innocent += len(suspects) - (f"p{PLANTED:02}" in suspects)
            innocent += sum(one.doubt is not None for one in right)
        print(f"{people:6}  {named / classes:16.0%}  {innocent / classes / 2:15.3f} a class")
    answers = answered(2500, QUESTIONS)
    start = perf_counter()
    analyse(answers, found)
    print(f"\n{len(answers)} answers analysed in {perf_counter() - start:.2f} s, in a thread")
    asyncio.run(_pictures())


async def _pictures() -> None:
    """Measure pictures, and how long anything else has to wait meanwhile and without them."""
    studio = Studio()
    first = perf_counter()
    await studio.picture(_poster(0), dark=False)
    print(f"the first picture took {perf_counter() - first:.2f} s: matplotlib was loaded")
    idle = await _longest_wait(asyncio.sleep(1))
    times, waits = [], []
    for number in range(1, SAMPLES + 1):
        start = perf_counter()
        waits.append(await _longest_wait(studio.picture(_poster(number), dark=False)))
        times.append(perf_counter() - start)
    print(f"another one takes {median(times):.2f} s; everything else waits {median(waits):.0f} ms")
    print(f"at most meanwhile, and {idle:.0f} ms on the idle machine")


def _poster(number: int) -> Poster:
    return poster(f"Ani {number}", progressed(diligent()), words("en"))


async def _longest_wait(work: Awaitable[object]) -> float:
    """Give the longest time, in milliseconds, that the event loop was busy during some work."""
    doing = asyncio.ensure_future(work)
    last, longest = perf_counter(), 0.0
    while not doing.done():
        await asyncio.sleep(0.001)
        longest, last = max(longest, perf_counter() - last), perf_counter()
    return 1000 * longest


if __name__ == "__main__":
    main()
