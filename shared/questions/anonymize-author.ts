import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { erasedEmail } from '#shared/platform/privacy/erase-fields.ts'
import { Question } from './question.ts'

/** Takes the author's name and address from a person's questions, whose texts stay. Returns their ids. */
export async function anonymizeAuthor(
  tx: StoreTx,
  { customerId, verifiedEmails }: { customerId: string; verifiedEmails: readonly string[] },
): Promise<string[]> {
  const questions = await Question.in(tx)
    .where((of) =>
      of.where('customer_id', customerId).orWhereRaw('lower(author_email) = any(?)', [verifiedEmails]),
    )
    .patch({ authorName: 'Anonymous', authorEmail: erasedEmail(customerId), customerId: null })
    .returning('id')
  return questions.map(({ id }) => id)
}
