import { CARDS } from './cards.ts';
import type { MerchantOp, Message } from './engine-messages.ts';
import { decimal, type Limits } from './engine-model.ts';
import type { Fleet, Reply } from './server-fleet.ts';

/** A message as the network writes it. */
export function post(fleet: Fleet, place: number, message: Message): Promise<Reply> {
  const bill = { bill_currency: 'EUR' };
  switch (message.kind) {
    case 'authorization':
      return fleet.network(place, 'authorizations/', {
        external_transaction_id: message.id,
        card_number: message.number,
        expiry: message.expiry,
        ...(message.cvv !== undefined && { cvv: message.cvv }),
        amount: message.amount,
        currency: message.currency,
        ...bill,
        bill_amount: decimal(message.billMinor),
        channel: message.channel,
        merchant: { id: 'm-1', name: 'Shop', mcc: message.mcc, city: 'Lisbon', country: 'PRT' },
      });
    case 'reversal':
      return fleet.network(place, 'reversals/', {
        external_transaction_id: message.purchaseId,
        reversal_id: message.id,
        ...(message.billMinor !== undefined && { bill_amount: decimal(message.billMinor) }),
      });
    case 'clearing':
      return fleet.network(place, 'clearings/', {
        external_transaction_id: message.purchaseId,
        clearing_id: message.id,
        ...(message.number !== undefined && { card_number: message.number }),
        amount: message.amount,
        currency: message.currency,
        ...bill,
        bill_amount: decimal(message.billMinor),
        final: message.final,
      });
    case 'refund':
      return fleet.network(place, 'refunds/', {
        refund_id: message.id,
        ...(message.purchaseId !== undefined && { external_transaction_id: message.purchaseId }),
        ...(message.number !== undefined && { card_number: message.number }),
        amount: message.amount,
        currency: message.currency,
        ...bill,
        bill_amount: decimal(message.billMinor),
      });
  }
}

/** A merchant's call; its key makes it safe to ask again. */
export function callMerchant(
  fleet: Fleet,
  place: number,
  cardId: string,
  { key, call }: MerchantOp,
): Promise<Reply> {
  const path = `${CARDS}${cardId}/`;
  switch (call.act) {
    case 'freeze':
      return fleet.merchant(place, 'PUT', `${path}freeze/`, { freeze: call.freeze });
    case 'block':
      return fleet.merchant(place, 'PUT', `${path}block/`, { reason: call.reason });
    case 'reissue':
      return fleet.merchant(
        place,
        'PUT',
        `${path}replace/`,
        { renewOption: 'NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE' },
        key,
      );
    case 'adjust': {
      const body = { amount: Number(decimal(call.amountMinor)), reference: key };
      return fleet.merchant(place, 'POST', `${path}balance-adjustments/`, body, key);
    }
    case 'controls':
      return fleet.merchant(place, 'PUT', `${path}spend-controls/`, controlsBody(call.limits));
  }
}

const controlsBody = (limits: Partial<Limits>): object =>
  Object.fromEntries(
    Object.entries(limits).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? Number(decimal(value)) : value,
    ]),
  );
