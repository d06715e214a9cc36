import type { Static } from 'typebox';
import { findCard, findNewestShipment } from '../../cards/queries.ts';
import type { ShippingInformation } from '../../cards/schema.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
import { notFound } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import type { QueryServices } from '../services.ts';
import type { ShipmentDetail } from './schema.ts';

/** The newest shipment. Only an order with an address has a vault record, and no order without one follows it. */
export async function readShipment(
  { db, vault }: QueryServices,
  programId: string,
  cardId: string,
): Promise<Static<typeof ShipmentDetail>> {
  if (!isId(cardId)) throw notFound();
  const [card, shipment, addresses] = await Promise.all([
    findCard(db, programId, cardId),
    findNewestShipment(db, programId, cardId),
    vault.openRecords(db, programId, 'shipment', [cardId]),
  ]);
  if (!card) throw notFound();
  const address = addresses.get(cardId) as Static<typeof ShippingInformation> | undefined;
  return {
    cardId,
    status: shipment?.status ?? null,
    created: shipment ? formatTimestamp(shipment.createdAt) : null,
    shipTo: address ? presentAddress(address) : null,
  };
}

function presentAddress(shipping: Static<typeof ShippingInformation>) {
  const { line1, line2, zone, city, postalCode, country } = shipping.shippingAddress;
  return {
    recipient: `${shipping.recipientFirstName} ${shipping.recipientLastName}`,
    line1,
    line2: line2 || null,
    zone: zone || null,
    city,
    postalCode,
    country,
    phone: `+${shipping.recipientDialCode} ${shipping.recipientPhoneNumber}`,
    email: shipping.recipientEmail,
  };
}
