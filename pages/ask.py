"""Ask: a question in plain words, answered with its working; and practice with such questions."""

from pages.ui import ask_address, ask_answer, ask_practice, controls, plain

controls.scenario()
ask_address.arrive()
plain.style()

if ask_practice.printing():
    ask_practice.sheet()
elif ask_answer.room() == "Practice":
    ask_practice.draw()
else:
    ask_answer.draw()
