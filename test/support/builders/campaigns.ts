import { createCampaign, type NewCampaign } from '#shared/campaigns/create-campaign.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { nextNumber } from '#test/support/builders/store.ts'

export interface BuiltCampaign {
  id: string
  code: string
}

/** An active campaign without a period. */
export async function buildCampaign(
  store: { id: string },
  given: Partial<NewCampaign> = {},
): Promise<BuiltCampaign> {
  const number = nextNumber()
  const campaign = { name: `Campaign ${number}`, code: `LINK-${number}`, ...given }
  const { id, code } = await inStore(store.id, (tx) => createCampaign(tx, campaign))
  return { id, code }
}
