"""Programs that count the tables shipped with the package; nothing imports them."""
