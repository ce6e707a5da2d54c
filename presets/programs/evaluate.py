"""An evaluator for Afterstate: Program(command: ["python3", "presets/programs/evaluate.py"]).

It equals the evaluator Corner: large tiles belong into one corner and none into the opposite one. Positions come as lines of JSON,
[{"board": "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2", "score": 12}, …], and a line with a number for each goes back.
"""

import json
import sys

WEIGHTS = [[0, 1, 2, 4], [-1, 0, 1, 2], [-2, -1, 0, 1], [-4, -2, -1, 0]]


def value(board, score):
    best = -float("inf")
    for _ in range(4):
        board = list(zip(*board[::-1]))  # a quarter turn
        best = max(best, sum(w * tile for ws, tiles in zip(WEIGHTS, board) for w, tile in zip(ws, tiles)))
    return best


for line in sys.stdin:
    positions = json.loads(line)
    boards = [[[int(tile) for tile in row.split(",")] for row in one["board"].split("/")] for one in positions]
    print(json.dumps([value(board, one["score"]) for board, one in zip(boards, positions)]), flush=True)
