/**
 * Hands on the events of each card in the order in which they happened. Deliveries overtake each other, but
 * `data.sequence` counts the events of a card 1, 2, 3 … without gaps, so what came early waits for what is missing. It
 * waits for a while only: an endpoint that takes some event types gets some of the numbers.
 *
 * @param {(event: object) => void} handle
 * @param {number} waitMs
 */
export function inOrder(handle, waitMs) {
  /** Card id → the number that is due, and the events that came before their turn. */
  const cards = new Map();

  function handOn(card) {
    clearTimeout(card.timer);
    for (let event = card.early.get(card.due); event; event = card.early.get(card.due)) {
      card.early.delete(card.due);
      card.due += 1;
      handle(event);
    }
    if (card.early.size === 0) return;
    card.timer = setTimeout(() => {
      card.due = Math.min(...card.early.keys());
      handOn(card);
    }, waitMs);
  }

  return (event) => {
    const { sequence } = event.data;
    const cardId = event.data.cardId ?? event.data.card_id;
    const card = cards.get(cardId) ?? { due: 1, early: new Map() };
    cards.set(cardId, card);
    // We stopped waiting for this one. Late is better than never.
    if (sequence < card.due) return handle(event);
    card.early.set(sequence, event);
    handOn(card);
  };
}
