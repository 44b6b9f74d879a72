import { type Reply, reply } from '#api/platform/output/reply.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { loadSubscriptionDetail } from '#shared/subscriptions/charges/next-charge.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'

/** Responds with a subscription, its next charge and its ETag. */
export const respondWithSubscription = async (
  tx: StoreTx,
  subscription: Subscription,
  language: string,
): Promise<Reply> =>
  reply(200, await loadSubscriptionDetail(tx, subscription, language), { ETag: entityTag(subscription) })
