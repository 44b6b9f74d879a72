const at = '2026-11-22T09:30:00.000Z'
const base = 'https://shop.example/images/Zk3uH0m2Qx8vJ5rT1bYcN7eLdWgPaSiF'

export const imageExample = {
  id: '01a1f2c0-5d1e-7a3b-8c4d-2e3f4a5b6c7d',
  status: 'ready',
  url: `${base}/800.webp`,
  variants: [
    { url: `${base}/200.webp`, width: 200, height: 150, bytes: 6_310 },
    { url: `${base}/400.webp`, width: 400, height: 300, bytes: 18_402 },
    { url: `${base}/800.webp`, width: 640, height: 480, bytes: 39_118 },
  ],
  content_type: 'image/jpeg',
  bytes: 184_320,
  width: 640,
  height: 480,
  failure_reason: '',
  created_at: at,
  updated_at: at,
}
