import type { ManifestOptions } from 'vite-plugin-pwa'
import { brandName } from '../../contract/brand.ts'

export const manifest: Partial<ManifestOptions> = {
  id: '/',
  name: brandName,
  short_name: brandName,
  lang: 'id',
  display: 'standalone',
  start_url: '/',
}
