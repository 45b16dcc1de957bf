"""Loading: a program starts faster, and waits less later, if its modules are no one's garbage."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading() -> Iterator[None]:
    """Load modules in this block without looking for garbage, and never look at them again.

    Loading makes hundreds of thousands of objects that stay; going through them again and again
    for what could be freed is a fifth of a cold start, and each full look later would pause every
    chat for as long.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
