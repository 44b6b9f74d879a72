import { returnApprovedMail } from '#shared/returns/mails/approved.ts'
import { decideReturn } from './decide-return.ts'

/**
 * Approves a return; `message` has the instructions to send the goods. Throws `resource.not_found`,
 * `return.invalid_transition`, and 429 past 20 mails an hour.
 */
export const approveReturn = decideReturn('approved', returnApprovedMail)
