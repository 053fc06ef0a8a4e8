"""Hand histories as poker rooms write them, to be changed by tests."""

STARS = """\
PokerStars Hand #230000000001:  Hold'em No Limit ($0.50/$1.00 USD) - 2026/01/02 12:00:00 ET
Table 'Vega II' 2-max Seat #1 is the button
Seat 1: Ann: raises ($97.30 in chips)
Seat 2: bob ($143 in chips)
Ann: raises: posts small blind $0.50
bob: posts big blind $1
*** HOLE CARDS ***
Dealt to Ann: raises [Qd Qc]
Ann: raises: raises $2 to $3
bob: calls $2
bob said, "raises $5 to $9"
*** FLOP *** [Qs Jh 2h]
bob: checks
Ann: raises: bets $4
bob: raises $6 to $10
Ann: raises: calls $6
*** TURN *** [Qs Jh 2h] [7d]
bob: bets $20
Ann: raises: raises $64.30 to $84.30 and is all-in
bob: calls $64.30
*** RIVER *** [Qs Jh 2h 7d] [3c]
*** SHOW DOWN ***
bob: shows [Ah Kh] (high card Ace)
Ann: raises: shows [Qd Qc] (three of a kind, Queens)
Ann: raises collected $194.10 from pot
*** SUMMARY ***
Total pot $194.60 | Rake $0.50
Board [Qs Jh 2h 7d 3c]
Seat 1: Ann: raises (button) (small blind) showed [Qd Qc] and won ($194.10) with Queens
Seat 2: bob (big blind) showed [Ah Kh] and lost with high card Ace
"""

TOURNAMENT = """\
PokerStars Hand #230000000002: Tournament #333, $4.60+$0.40 USD Hold'em No Limit - Level III (25/50) - 2026/01/02 12:00:00 ET
Table '333 1' 3-max Seat #2 is the button
Seat 1: bob (500 in chips, $1 bounty)
Seat 2: Ann (1000 in chips)
Seat 3: cy (700 in chips) is sitting out
Ann: posts small blind 25
bob: posts big blind 50
*** HOLE CARDS ***
Dealt to Ann [7d 2c]
Ann: raises 100 to 150
bob: folds
Uncalled bet (100) returned to Ann
Ann collected 100 from pot
Ann: doesn't show hand
*** SUMMARY ***
Total pot 100 | Rake 0
Seat 1: bob (big blind) folded before Flop
"""  # noqa: E501

GG = """\
Poker Hand #HD2258209222: Hold'em No Limit  ($0.02/$0.05) - 2026/04/09 22:13:05
Table 'NLHWhite52' 6-max Seat #4 is the button
Seat 4: 626f7725 ($1,204.57 in chips)
Seat 6: Hero ($5 in chips)
626f7725: posts small blind $0.02
Hero: posts big blind $0.05
*** HOLE CARDS ***
Dealt to 626f7725
Dealt to Hero [4c Js]
626f7725: calls $0.03
Hero: checks
*** FLOP *** [Ks 8d 5h]
Hero: checks
626f7725: bets $0.07
Hero: folds
Uncalled bet ($0.07) returned to 626f7725
*** SHOWDOWN ***
626f7725 collected $0.1 from pot
*** SUMMARY ***
Total pot $0.1 | Rake $0 | Jackpot $0 | Bingo $0 | Fortune $0 | Tax $0
Board [Ks 8d 5h]
Seat 4: 626f7725 (button) collected ($0.1)
Seat 6: Hero (big blind) folded on the Flop
"""

PHH = """\
# a hand by hand
variant = "NT"
ante_trimming_status = true
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [2000, 3000]
actions = [
  "d dh p1 AhKh", "d dh p2 ????", "p2 cbr 250  # opens", "p1 cc",
  "d db 2c3c4c", "p1 cc", "p2 cbr 300", "p1 cbr 900", "p2 cc",
  "d db 5d", "p1 cc", "p2 cc",
  "d db 9d", "p1 cbr 850", "p2 cc", "p1 sm AhKh", "p2 sm QsQd",
]
players = ["Ann", "bob"]
hand = 77
"""
