"""Fall of the Führer: a hidden walk through a lit map (rules in docs/play/rules/fall-of-the-fuhrer.md)."""
