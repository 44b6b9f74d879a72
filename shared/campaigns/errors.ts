import { defineErrors } from '#shared/platform/errors.ts'

export const CampaignErrors = defineErrors({
  codeTaken: {
    code: 'campaign.code_taken',
    status: 409,
    message: ({ code }: { code: string }) =>
      `Another campaign or an affiliate of this store has the code "${code}", ignoring case. Choose another.`,
  },
})
