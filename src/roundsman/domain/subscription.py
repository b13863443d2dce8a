"""Who wants to be told of events."""

from roundsman.domain.noun import Noun
from roundsman.domain.topics import Topic


class Subscription(Noun):
    """A receiver's address and the topics it asked for."""

    id: str
    url: str
    topics: tuple[Topic, ...]
    active: bool = True

    def wants(self, topic: Topic) -> bool:
        """Say whether an event of this topic goes to this receiver."""
        return self.active and topic in self.topics
