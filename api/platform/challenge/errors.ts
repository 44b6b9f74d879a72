import { defineErrors } from '#shared/platform/errors.ts'

export const ChallengeErrors = defineErrors({
  required: {
    code: 'challenge.required',
    status: 403,
    message: ({ siteKey }: { siteKey: string }) =>
      `Too many such requests came from your network. Solve the challenge of the site key ${siteKey}, and repeat the ` +
      'request with its token in Challenge-Response.',
  },
})
