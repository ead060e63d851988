"""Writes the rules of English draughts with one move for each path of jumps.

Usage: python3 games/tools/english_draughts.py > games/english-draughts/rules.kif

The rules stand in the template below; only the list of the jump paths and the numbers are
computed. A path is named by its cells, such as c3xe5xg7. A piece may come back to a cell, even
to the one that it started from, but it may not jump over the same cell twice.
"""

COLUMNS = "abcdefgh"
DRAW_LIMIT = 80

TEMPLATE = """\
; English draughts. This file is written by games/tools/english_draughts.py: change that program, not this file.
; Two players have 12 men each on the dark cells of an 8 x 8 board. A man steps diagonally
; forward or jumps over an adjacent enemy piece, which is captured; a piece that can jump must
; jump, and it goes on as long as it can. A man that reaches the far row becomes a king, which
; also goes backward. A player who cannot move loses.

; The players. Black begins, from the top of the board.
(role black)
(role white)
(opponent black white)
(opponent white black)

; Men go ahead, and become kings in the far row. Kings go both ways.
(ahead white up)
(ahead black down)
(far_row white 8)
(far_row black 1)
(home_row white 1)
(home_row white 2)
(home_row white 3)
(home_row black 6)
(home_row black 7)
(home_row black 8)

; The pieces: whose they are, their rank, and how they are shown on the board.
(piece white man white_man)
(piece white king white_king)
(piece black man black_man)
(piece black king black_king)

; The board: columns and rows, their order, and whether their number is odd or even.
(column a odd)
(column b even)
(column c odd)
(column d even)
(column e odd)
(column f even)
(column g odd)
(column h even)
(row 1 odd)
(row 2 even)
(row 3 odd)
(row 4 even)
(row 5 odd)
(row 6 even)
(row 7 odd)
(row 8 even)
(next_column a b)
(next_column b c)
(next_column c d)
(next_column d e)
(next_column e f)
(next_column f g)
(next_column g h)
(next_row 1 2)
(next_row 2 3)
(next_row 3 4)
(next_row 4 5)
(next_row 5 6)
(next_row 6 7)
(next_row 7 8)

; The dark cells: both numbers are odd, or both are even.
(<= (dark ?column ?row)
    (column ?column ?parity)
    (row ?row ?parity))

; A step from a dark cell to a neighbour, up or down the board.
(<= (beside ?column ?other)
    (next_column ?column ?other))
(<= (beside ?column ?other)
    (next_column ?other ?column))
(<= (toward up ?row ?other)
    (next_row ?row ?other))
(<= (toward down ?row ?other)
    (next_row ?other ?row))
(<= (step ?direction ?column ?row ?to_column ?to_row)
    (dark ?column ?row)
    (beside ?column ?to_column)
    (toward ?direction ?row ?to_row))

; Paths of jumps, which are listed at the end of this file:
;   (first_jump PATH FROM DIRECTION OVER TO)      a path of one jump
;   (next_jump PATH LONGER DIRECTION OVER TO)     LONGER is PATH and one more jump
; FROM, OVER and TO are cells, that is a column and a row.
(<= (begins ?path ?column ?row)
    (first_jump ?path ?column ?row ?direction ?c2 ?r2 ?c3 ?r3))
(<= (begins ?longer ?column ?row)
    (begins ?path ?column ?row)
    (next_jump ?path ?longer ?direction ?c2 ?r2 ?c3 ?r3))

; The last jump of a path: the cell that it passes and the cell where it ends.
(<= (last_jump ?path ?c2 ?r2 ?c3 ?r3)
    (first_jump ?path ?c1 ?r1 ?direction ?c2 ?r2 ?c3 ?r3))
(<= (last_jump ?longer ?c2 ?r2 ?c3 ?r3)
    (next_jump ?path ?longer ?direction ?c2 ?r2 ?c3 ?r3))

; What a state may contain. A cell is listed with its piece; an empty cell is not listed at all.
; quiet counts the moves since the last jump or move of a man.
(<= (base (cell ?column ?row ?piece))
    (dark ?column ?row)
    (piece ?player ?rank ?piece))
(<= (base (control ?player))
    (role ?player))
(base (quiet 0))
(<= (base (quiet ?count))
    (successor ?less ?count))

; The moves that may ever be legal.
(<= (input ?player (move ?column ?row ?to_column ?to_row))
    (role ?player)
    (step ?direction ?column ?row ?to_column ?to_row))
(<= (input ?player (jump ?path))
    (role ?player)
    (begins ?path ?column ?row))
(<= (input ?player noop)
    (role ?player))

; The first state: men on the dark cells of the home rows, with black to move.
(<= (init (cell ?column ?row ?piece))
    (dark ?column ?row)
    (home_row ?player ?row)
    (piece ?player man ?piece))
(init (control black))
(init (quiet 0))

; The cells, as the player in control sees them.
(<= (own ?rank ?column ?row)
    (true (control ?player))
    (piece ?player ?rank ?piece)
    (true (cell ?column ?row ?piece)))
(<= (enemy ?column ?row)
    (true (control ?player))
    (opponent ?player ?other)
    (piece ?other ?rank ?piece)
    (true (cell ?column ?row ?piece)))
(<= (occupied ?column ?row)
    (true (cell ?column ?row ?piece)))

; The own piece of a cell may go in a direction: a king in both, a man ahead.
(<= (can_go ?column ?row ?direction)
    (own king ?column ?row)
    (ahead ?player ?direction))
(<= (can_go ?column ?row ?direction)
    (own man ?column ?row)
    (true (control ?player))
    (ahead ?player ?direction))

; A step leads to an empty cell.
(<= (can_step ?column ?row ?to_column ?to_row)
    (step ?direction ?column ?row ?to_column ?to_row)
    (can_go ?column ?row ?direction)
    (not (occupied ?to_column ?to_row)))

; A path is open when each of its jumps leads over an enemy piece to an empty cell. The cell
; that the path begins from is as good as empty, since the moving piece has left it.
(<= (open ?path)
    (first_jump ?path ?c1 ?r1 ?direction ?c2 ?r2 ?c3 ?r3)
    (can_go ?c1 ?r1 ?direction)
    (enemy ?c2 ?r2)
    (not (occupied ?c3 ?r3)))
(<= (open ?longer)
    (next_jump ?path ?longer ?direction ?c2 ?r2 ?c3 ?r3)
    (open ?path)
    (begins ?path ?c1 ?r1)
    (can_go ?c1 ?r1 ?direction)
    (enemy ?c2 ?r2)
    (not (occupied ?c3 ?r3)))
(<= (open ?longer)
    (next_jump ?path ?longer ?direction ?c2 ?r2 ?c3 ?r3)
    (open ?path)
    (begins ?path ?c3 ?r3)
    (can_go ?c3 ?r3 ?direction)
    (enemy ?c2 ?r2))

; An open path must be followed to its end.
(<= (open_further ?path)
    (next_jump ?path ?longer ?direction ?c2 ?r2 ?c3 ?r3)
    (open ?longer))
(<= (complete ?path)
    (open ?path)
    (not (open_further ?path)))

; Whether the player in control can jump or step at all.
(<= can_jump
    (first_jump ?path ?c1 ?r1 ?direction ?c2 ?r2 ?c3 ?r3)
    (open ?path))
(<= can_move
    (can_step ?column ?row ?to_column ?to_row))

; The player in control jumps or, when that is not possible, steps. The other waits.
(<= (legal ?player (jump ?path))
    (true (control ?player))
    (complete ?path))
(<= (legal ?player (move ?column ?row ?to_column ?to_row))
    (true (control ?player))
    (can_step ?column ?row ?to_column ?to_row)
    (not can_jump))
(<= (legal ?player noop)
    (role ?player)
    (not (true (control ?player))))

; Who follows a path also follows its beginning, and captures what is jumped over on the way.
(<= (followed ?path)
    (does ?player (jump ?path)))
(<= (followed ?path)
    (next_jump ?path ?longer ?direction ?c2 ?r2 ?c3 ?r3)
    (followed ?longer))
(<= (captured ?column ?row)
    (followed ?path)
    (last_jump ?path ?column ?row ?to_column ?to_row))

; The cell that the moving piece leaves, and the cell that it reaches.
(<= (left ?column ?row)
    (does ?player (move ?column ?row ?to_column ?to_row)))
(<= (left ?column ?row)
    (followed ?path)
    (first_jump ?path ?column ?row ?direction ?c2 ?r2 ?c3 ?r3))
(<= (reached ?column ?row)
    (does ?player (move ?from_column ?from_row ?column ?row)))
(<= (reached ?column ?row)
    (does ?player (jump ?path))
    (last_jump ?path ?over_column ?over_row ?column ?row))
(<= king_moves
    (left ?column ?row)
    (own king ?column ?row))

; The new state: the pieces that were not touched,
(<= (next (cell ?column ?row ?piece))
    (true (cell ?column ?row ?piece))
    (not (captured ?column ?row))
    (not (left ?column ?row)))
; the moved piece, as a king if it was one or is in the far row, else as a man,
(<= (next (cell ?column ?row ?piece))
    (reached ?column ?row)
    king_moves
    (true (control ?player))
    (piece ?player king ?piece))
(<= (next (cell ?column ?row ?piece))
    (reached ?column ?row)
    (true (control ?player))
    (far_row ?player ?row)
    (piece ?player king ?piece))
(<= (next (cell ?column ?row ?piece))
    (reached ?column ?row)
    (not king_moves)
    (true (control ?player))
    (piece ?player man ?piece)
    (not (far_row ?player ?row)))
; the turn, which passes,
(<= (next (control ?other))
    (true (control ?player))
    (opponent ?player ?other))
; and the count, which goes on when a king has stepped and begins again otherwise.
(<= (next (quiet ?more))
    (true (quiet ?count))
    (successor ?count ?more)
    king_moves
    (not can_jump))
(<= (next (quiet 0))
    can_jump)
(<= (next (quiet 0))
    (not king_moves))

; The game ends when the player in control cannot move, or after @LIMIT@ quiet moves.
(<= stuck
    (not can_jump)
    (not can_move))
(<= terminal
    stuck)
(<= terminal
    (true (quiet @LIMIT@)))

; Who cannot move loses; else it is a draw.
(<= (goal ?player 100)
    (opponent ?player ?other)
    (true (control ?other))
    stuck)
(<= (goal ?player 0)
    (true (control ?player))
    stuck)
(<= (goal ?player 50)
    (role ?player)
    (not stuck))

; The numbers for the count of quiet moves.
@SUCCESSORS@

; The paths of jumps. A path stands before those that continue it.
@PATHS@"""


def name(cell):
    return COLUMNS[cell[0]] + str(cell[1])


def place(cell):
    return COLUMNS[cell[0]] + " " + str(cell[1])


def jumps(cell):
    """The jumps from a cell: their direction, the cell they pass, the cell where they end."""
    column, row = cell
    for direction, row_step in (("up", 1), ("down", -1)):
        for column_step in (-1, 1):
            end = (column + 2 * column_step, row + 2 * row_step)
            if 0 <= end[0] <= 7 and 1 <= end[1] <= 8:
                yield direction, (column + column_step, row + row_step), end


def continuations(cells, passed):
    """A fact for each path that begins with these cells and has not passed a cell twice."""
    path = "x".join(map(name, cells))
    for direction, over, end in jumps(cells[-1]):
        if over in passed:
            continue
        longer = f"{path}x{name(end)}"
        jump = f"{direction} {place(over)} {place(end)}"
        if len(cells) == 1:
            yield f"(first_jump {longer} {place(cells[0])} {jump})"
        else:
            yield f"(next_jump {path} {longer} {jump})"
        yield from continuations(cells + [end], passed + [over])


def paths():
    dark = [(column, row) for row in range(1, 9) for column in range(8) if (column + 1 + row) % 2 == 0]
    return [fact for cell in dark for fact in continuations([cell], [])]


def main():
    successors = [f"(successor {n} {n + 1})" for n in range(DRAW_LIMIT)]
    text = TEMPLATE.replace("@LIMIT@", str(DRAW_LIMIT))
    text = text.replace("@SUCCESSORS@", "\n".join(successors))
    print(text.replace("@PATHS@", "\n".join(paths())))


main()
