import { returnRejectedMail } from '#shared/returns/mails/rejected.ts'
import { decideReturn } from './decide-return.ts'

/** Rejects a return; `message` gives the reason to the buyer. Throws like `approveReturn`. */
export const rejectReturn = decideReturn('rejected', returnRejectedMail)
