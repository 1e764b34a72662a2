/** In pixels, and a file size. */
interface Platform {
  width: number
  height: number
  maxBytes: number
  /** For goods: white background with a soft shadow. */
  goods?: true
}

const square = (side: number, megabytes: number) => ({ width: side, height: side, maxBytes: megabytes * 1e6 })
const shop = (side: number, megabytes: number) => ({ ...square(side, megabytes), goods: true as const })

/**
 * Sizes recommended by Shopee Seller Education Hub, Tokopedia Pusat Edukasi Seller, TikTok Shop
 * Academy, Instagram Graph API, WhatsApp's sticker guidelines.
 */
export const platforms = {
  shopee: shop(1024, 2),
  tokopedia: shop(1200, 10),
  'tiktok-shop': shop(1200, 5),
  instagram: { ...square(1080, 8), height: 1350 },
  sticker: square(512, 0.1),
} satisfies Record<string, Platform>

export type PlatformId = keyof typeof platforms
export const platformIds = Object.keys(platforms) as PlatformId[]

export const platformOf = (shape: string): Platform | undefined => platforms[shape as PlatformId]
