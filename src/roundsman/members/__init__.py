"""The members' door: planners sign in and out, take up invitations and choose new passwords."""
