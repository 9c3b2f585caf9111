"""Prints the seconds in which lexbor (selectolax) parses a file, the median of some repetitions."""

import statistics
import sys
import time
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

text = Path(sys.argv[1]).read_text()
times = []
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    parser = LexborHTMLParser(text)
    del parser
    times.append(time.perf_counter() - start)
print(statistics.median(times))
