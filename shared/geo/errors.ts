import { defineErrors } from '#shared/platform/errors.ts'

export const GeoErrors = defineErrors({
  zoneInUse: {
    code: 'geo_zone.in_use',
    status: 409,
    message: 'Tax rates or shipping methods use this geo zone. Give them another one first.',
  },
  zoneLimitReached: {
    code: 'geo_zone.limit_reached',
    status: 409,
    message: ({ limit }: { limit: number }) => `A store has at most ${limit} geo zones. Delete one first.`,
  },
})
