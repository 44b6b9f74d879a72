import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { erasedEmail } from '#shared/platform/privacy/erase-fields.ts'
import { type Author, isOfPerson, Question } from './question.ts'
import { indexManyQuestions } from './question-words.ts'

/** Erases a person's name and address from their questions. The texts stay. Returns the ids of the questions. */
export async function anonymizeAuthor(tx: StoreTx, person: Author): Promise<string[]> {
  const questions = await Question.in(tx)
    .where(isOfPerson(person))
    .patch({ authorName: 'Anonymous', authorEmail: erasedEmail(person.customerId), customerId: null })
    .returning(['id', 'status'])
  const ids = questions.map(({ id }) => id)
  await indexManyQuestions(tx, ids)
  if (questions.some(({ status }) => status === 'approved')) bumpCatalogVersion(tx)
  return ids
}
