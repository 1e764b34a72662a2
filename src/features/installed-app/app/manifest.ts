import type { ManifestOptions } from 'vite-plugin-pwa'
import { brandName } from '#shared/brand.ts'

const surface = '#faf6f0'

interface Tool {
  route: string
  label: { message: string }
}

/** Chrome shows three on phones; two lead to tools. */
const shortcuts = (tools: readonly Tool[]) => [
  ...tools.slice(0, 2).map(({ route, label }) => ({ name: label.message, url: route, description: label.message })),
  { name: 'Riwayat', url: '/history', description: 'Semua hasilmu' },
  { name: 'Kredit', url: '/billing', description: 'Saldo dan masa berlakunya' },
]

/** W3C; vite-plugin-pwa writes and links manifest.webmanifest. */
export const manifest = (tools: readonly Tool[]): Partial<ManifestOptions> => ({
  id: '/',
  name: `${brandName}: edit foto dengan AI`,
  short_name: brandName,
  description: 'Edit foto dengan AI langsung dari HP: hapus latar, rapikan, dan unduh dalam hitungan detik.',
  lang: 'id',
  dir: 'ltr',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  orientation: 'any',
  theme_color: surface,
  background_color: surface,
  categories: ['photo', 'productivity', 'utilities'],
  launch_handler: { client_mode: ['focus-existing', 'auto'] },
  share_target: {
    action: '/share',
    method: 'POST',
    enctype: 'multipart/form-data',
    params: { files: [{ name: 'photos', accept: ['image/*', 'video/*'] }] },
  },
  // The desktop's "open with"; launch.ts passes the files to the page.
  file_handlers: [
    {
      action: '/open-with',
      accept: {
        'image/jpeg': ['.jpg', '.jpeg'],
        'image/png': ['.png'],
        'image/webp': ['.webp'],
        'image/avif': ['.avif'],
        'image/heic': ['.heic', '.heif'],
        'video/mp4': ['.mp4', '.m4v'],
        'video/quicktime': ['.mov'],
        'video/webm': ['.webm'],
      },
    },
  ],
  icons: [
    { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: '/icons/maskable-192.png', sizes: '192x192', type: 'image/png', purpose: 'maskable' },
    { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: '/icons/monochrome-512.png', sizes: '512x512', type: 'image/png', purpose: 'monochrome' },
  ],
  screenshots: [
    {
      src: '/screenshots/hasil.jpg',
      sizes: '780x1688',
      type: 'image/jpeg',
      form_factor: 'narrow',
      label: 'Latar terhapus',
    },
    { src: '/screenshots/beranda.jpg', sizes: '780x1688', type: 'image/jpeg', form_factor: 'narrow', label: 'Beranda' },
    {
      src: '/screenshots/beranda-lebar.jpg',
      sizes: '1280x800',
      type: 'image/jpeg',
      form_factor: 'wide',
      label: 'Beranda di layar lebar',
    },
  ],
  shortcuts: shortcuts(tools).map((shortcut) => ({
    ...shortcut,
    icons: [{ src: '/icons/shortcut-96.png', sizes: '96x96', type: 'image/png' }],
  })),
})
