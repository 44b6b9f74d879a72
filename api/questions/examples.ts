export const productQuestionExample = {
  id: '0199b1c2-7a10-7c3e-8f21-5b8de0a4c0f1',
  author_name: 'Ada',
  body: 'Does the hood fit over a helmet?',
  answer_body: 'It does, with room to turn your head.',
  answered_at: '2026-10-11T14:05:00.000Z',
  created_at: '2026-10-11T09:30:00.000Z',
}

export const askedQuestionExample = {
  ...productQuestionExample,
  answer_body: '',
  answered_at: null,
  status: 'pending',
}

export const questionExample = {
  ...productQuestionExample,
  status: 'approved',
  product_id: '0199b1c2-7a10-7c3e-8f21-5b8de0a4c001',
  product_slug: 'keel-rain-jacket',
  product_name: 'Keel Rain Jacket',
  customer_id: null,
  language: 'en',
  updated_at: '2026-10-11T14:05:00.000Z',
  author_email: 'ada@example.com',
}
