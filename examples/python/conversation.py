# A chat with a memory. Put your model in the place of `answer_to`. Press Ctrl-D to end it.
import sys
from recollect import Recollect

USER, CHAT = "alex@example.com", "chat-1"

def answer_to(question: str, memories: str) -> str:
    return memories or f"Noted: {question}"

with Recollect() as client:
    for content in map(str.strip, sys.stdin):
        answer = answer_to(content, client.recall(content, user=USER)["text"])
        print(answer)
        client.remember({"role": "user", "content": content}, user=USER, conversation_id=CHAT)
        client.remember({"role": "assistant", "content": answer}, user=USER, conversation_id=CHAT)
