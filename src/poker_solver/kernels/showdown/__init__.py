"""Hands against a range: what each wins less what it loses, and whom it can meet at all.

    net[b, s, h] = sum over opponent hands o that share no card with h of
                   reach[b, s, o] * sign(strength[b, h] - other_strength[b, o])

    run(strength, other_strength, cards, other_cards, reach, out)
      strength        [B, H] int16; 0: the board blocks the hand, which wins and loses nothing
      other_strength  [B, O] int16, the opponent's likewise; the same hand is as strong
      cards           [H, 2] int64 card ids 0..51     other_cards  [O, 2]
      reach           [B, S, O] float64 of S showdowns
      out             [B, S, H] float64, every element is written; must not alias reach

    met[r, h] = sum over opponent hands o that share no card with h of reach[r, o]

    run_met(cards, other_cards, reach, out)
      reach           [R, O] float64     out  [R, H] float64, every element is written

Error budget against `reference`, both: 1e-12 of the largest sum of a row of reach.
"""
