"""Do the numbers of this tree equal those of commit fa46bc9, bit for bit, on this machine?"""
