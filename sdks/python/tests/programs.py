"""Runs the programs of a folder in one process, for the tests of all clients: a JSON object per line with the name of a
program, answered by one per line with what it prints."""

import io
import json
import runpy
import sys
import traceback
from contextlib import redirect_stdout
from typing import Any

for line in sys.stdin:
    name = json.loads(line)["call"]
    printed = io.BytesIO()
    try:
        with redirect_stdout(io.TextIOWrapper(printed, encoding="utf-8", write_through=True)) as output:
            runpy.run_path(f"{name}.py", run_name="__main__")
            output.flush()
            answer: dict[str, Any] = {"result": printed.getvalue().decode()}
    except Exception:
        answer = {"error": {"message": traceback.format_exc()}}
    print(json.dumps(answer), flush=True)
