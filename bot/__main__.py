"""`python -m bot`: the same as `kuis`."""

if __name__ == "__main__":
    from adapters.cli import main  # the one look outwards: this is an entry, not the engine

    main()
