"""A running service whose ladder moves under load: does anything get lost, and does anybody wait for it?"""
