// Written by scripts/clients.py from the description of the interface; not by hand.
export {};
