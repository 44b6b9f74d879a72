import { assertNoOpenDispute } from '#shared/disputes/dispute.ts'

/** The means of a refund that staff have paid themselves, with its check for disputes. */
export const OUTSIDE_GATEWAY = { means: 'outside_gateway', disputes: { assertNoOpenDispute } } as const
