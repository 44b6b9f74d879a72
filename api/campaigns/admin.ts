import { staff } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { findCampaign } from '#shared/campaigns/campaign.ts'
import {
  type CampaignWithFigures,
  pageWithFigures,
  withFiguresOf,
} from '#shared/campaigns/campaign-figures.ts'
import { createCampaign as create } from '#shared/campaigns/create-campaign.ts'
import { deleteCampaign as remove } from '#shared/campaigns/delete-campaign.ts'
import { CampaignErrors } from '#shared/campaigns/errors.ts'
import { listCampaigns as list } from '#shared/campaigns/list-campaigns.ts'
import { readCampaignStats as readStats } from '#shared/campaigns/read-campaign-stats.ts'
import { updateCampaign as update } from '#shared/campaigns/update-campaign.ts'
import { CampaignStatsView, CampaignView, viewCampaign, viewCampaignStats } from '#shared/campaigns/view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import type { Store } from '#shared/stores/store.ts'
import { campaignExample as example, newCampaignExample, statsExample } from './examples.ts'
import { toCampaignChanges, toDays, toNewCampaign } from './read-request.ts'
import {
  CampaignListQuery,
  CampaignParams,
  CreateCampaignRequest,
  StatsQuery,
  UpdateCampaignRequest,
} from './schemas.ts'

const campaigns = new Resource({
  path: '/admin/campaigns',
  audit: {
    resource: 'campaigns',
    create: 'postAdminCampaigns',
    update: 'patchAdminCampaignsId',
    delete: 'deleteAdminCampaignsId',
  },
  params: CampaignParams,
  reads: staff('marketing:read'),
  writes: staff('marketing:write'),
  returns: CampaignView,
  view: (row: CampaignWithFigures, { currency }: Store) => viewCampaign(row, currency),
  tag: ({ campaign }) => entityTag(campaign),
  example,
})

export const listCampaigns = campaigns.list({
  summary: 'List campaigns, inactive ones included',
  description: '`q` searches names and codes. Visits and orders are totals of all time.',
  query: CampaignListQuery,
  handle: async ({ tx, query }) => pageWithFigures(tx, await list(tx, query)),
})

export const createCampaign = campaigns.create({
  summary: 'Create a campaign',
  description:
    'Links of the campaign carry its `code`, which the storefront sends to POST /marketing/track and to POST ' +
    '/checkout. Visits count while it is active, from `starts_at` on and before `ends_at`. `landing_url` is for the ' +
    'staff.',
  body: CreateCampaignRequest,
  errors: [CampaignErrors.codeTaken],
  example: { body: newCampaignExample, data: { ...example, visits: 0, orders: 0, revenue: 0 } },
  handle: async ({ tx, body }) => withFiguresOf(tx, await create(tx, toNewCampaign(body))),
})

export const readCampaign = campaigns.read({
  summary: 'Read a campaign',
  handle: async ({ tx, params }) => withFiguresOf(tx, await findCampaign(tx, params.id)),
})

export const updateCampaign = campaigns.update({
  summary: 'Change, activate or deactivate a campaign',
  description:
    'Absent fields stay. With a new `code` links with the old one no longer count; the visits and orders stay. The ' +
    '`ETag` covers the fields, not the figures.',
  body: UpdateCampaignRequest,
  errors: [CampaignErrors.codeTaken],
  example: { body: { is_active: false }, data: { ...example, is_active: false } },
  handle: async ({ tx, params, body, ifMatch }) =>
    withFiguresOf(tx, await update(tx, params.id, toCampaignChanges(body), ifMatch)),
})

export const deleteCampaign = campaigns.delete({
  summary: 'Delete a campaign',
  description: 'Its code can be used again. Its visits and orders stay in reports.',
  handle: ({ tx, params }) => remove(tx, params.id),
})

export const readCampaignStats = endpoint({
  method: 'get',
  path: '/admin/campaigns/:id/stats',
  access: staff('marketing:read'),
  summary: 'Read the visits and sales of a campaign by day',
  description:
    "Days are the store's: one with a change to or from summer time has 23 or 25 hours. An order belongs to the day " +
    'on which it was placed, and its refunds to that day too.',
  params: CampaignParams,
  query: StatsQuery,
  returns: [200, CampaignStatsView],
  errors: [CommonErrors.notFound],
  example: { data: statsExample },
  async handle({ tx, store, params, query }) {
    const days = toDays(query, store)
    return viewCampaignStats(await readStats(tx, params.id, days), days, store.currency)
  },
})
