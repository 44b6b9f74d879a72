import { Type } from 'typebox'
import {
  CreatedQuery,
  Email,
  Line,
  Name,
  Nullable,
  PageQuery,
  Shape,
  Uuid,
} from '#shared/platform/http/schema.ts'
import { QUESTION_SORTS } from '#shared/questions/list-questions.ts'
import { DECISIONS, QUESTION_STATUSES } from '#shared/questions/question.ts'

const LONGEST_QUESTION = 2_000
const LONGEST_ANSWER = 5_000

/** Page and size have bounds of their own (interface document, section 8). */
export const ApprovedQuery = Shape({
  page: PageQuery.page,
  page_size: Type.Integer({ minimum: 1, maximum: 50, default: 10 }),
})

export const NewQuestion = Shape({
  author_name: Type.Optional({
    ...Name(100),
    description: "Shown. A customer's first name stands in for it",
  }),
  author_email: Type.Optional({
    ...Email,
    description: 'Never shown. A customer is answered at the address of their account instead',
  }),
  body: { ...Line(LONGEST_QUESTION), description: 'Plain text' },
})

export const QuestionParams = Shape({ id: Uuid })

export const QuestionsQuery = Shape({
  ...PageQuery,
  sort: Type.Enum([...QUESTION_SORTS], { default: '-created_at' }),
  status: Type.Optional(Type.Enum([...QUESTION_STATUSES])),
  product_id: Type.Optional(Uuid),
  q: Type.Optional({
    ...Line(200),
    description: "Part of the question, its answer, the asker's name or e-mail address",
  }),
  ...CreatedQuery,
})

export const QuestionChange = Shape(
  {
    status: Type.Optional(Type.Enum([...DECISIONS])),
    answer_body: Type.Optional({
      ...Nullable(Line(LONGEST_ANSWER)),
      description: 'Plain text; null takes the answer back',
    }),
  },
  { minProperties: 1 },
)
