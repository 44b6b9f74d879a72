import { defineSecrets } from '#shared/platform/secrets/secrets.ts'
import type { Affiliate } from './affiliate.ts'
import type { PAYOUT_METHODS } from './states.ts'

/** The means and the destination of an affiliate's payouts. */
export interface PayoutDetails {
  method: (typeof PAYOUT_METHODS)[number]
  /** One text, or several texts by name. */
  details: string | Record<string, string>
}

export const payoutSecrets = defineSecrets(
  'payout details of affiliates',
  { scope: 'store', table: 'affiliates', columns: ['payout_sealed'] },
  ({ storeId, id }: Pick<Affiliate, 'storeId' | 'id'>) => `affiliate ${storeId} ${id}`,
)

export const sealPayoutDetails = (
  payout: PayoutDetails | null,
  of: Pick<Affiliate, 'storeId' | 'id'>,
): string | null => payout && payoutSecrets.of(of).seal(JSON.stringify(payout))

/** Returns the payout details, decrypted; null without any. */
export const openPayoutDetails = (affiliate: Affiliate): PayoutDetails | null =>
  affiliate.payoutSealed === null
    ? null
    : (JSON.parse(payoutSecrets.of(affiliate).open(affiliate.payoutSealed)) as PayoutDetails)
