"""The referee: where pictures, sounds and rules meet, and the command line."""
