"""N-fold's model of data-parallel training: NumPy only, no screen."""
