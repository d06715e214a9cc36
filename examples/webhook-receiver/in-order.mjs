/**
 * Calls `handle` with the events of each card in the order in which they happened. Deliveries may arrive out of order,
 * but `data.sequence` counts the events of a card 1, 2, 3 … without gaps, so an early event waits for the missing ones.
 * The wait is limited, because an endpoint that subscribes to some event types gets only some of the numbers.
 *
 * @param {(event: object) => void} handle
 * @param {number} waitMs
 */
export function inOrder(handle, waitMs) {
  /** Card id → the next expected number, and the events that arrived early. */
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
    // This event arrived after the wait had ended. Handle it late rather than never.
    if (sequence < card.due) return handle(event);
    card.early.set(sequence, event);
    handOn(card);
  };
}
