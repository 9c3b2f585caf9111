"""Prints the seconds of computing in which lexbor (selectolax) parses a file, the median of some repetitions."""

import statistics
import sys
import time
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

text = Path(sys.argv[1]).read_text()
times = []
for _ in range(int(sys.argv[2])):
    start = time.thread_time()
    parser = LexborHTMLParser(text)
    del parser
    times.append(time.thread_time() - start)
print(statistics.median(times))
