import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { toolPanels } from '#tools/panels.ts'

export interface ToolEntry {
  id: string
  route: string
  name: MessageDescriptor
  tagline: MessageDescriptor
}

/** Every tool of the product in the order people meet them, built or not. */
export const toolList: readonly ToolEntry[] = [
  {
    id: 'background-removal',
    route: '/ai-background-removal',
    name: msg`Hapus Latar`,
    tagline: msg`Pisahkan orang atau barang dari latarnya`,
  },
  {
    id: 'passport-photo',
    route: '/passport-photo',
    name: msg`Pasfoto`,
    tagline: msg`Ukuran, latar, dan lembar cetak yang pas`,
  },
  { id: 'headshot', route: '/ai-headshot', name: msg`Headshot AI`, tagline: msg`Dari selfie jadi foto profil studio` },
  {
    id: 'enhancement',
    route: '/ai-enhancement',
    name: msg`Perjelas Foto`,
    tagline: msg`Lebih besar, tajam, dan bersih`,
  },
  {
    id: 'object-removal',
    route: '/ai-object-removal',
    name: msg`Hapus Objek`,
    tagline: msg`Sapu yang mengganggu, sisanya tetap`,
  },
  {
    id: 'background-diffusion',
    route: '/ai-background-diffusion',
    name: msg`Latar Baru`,
    tagline: msg`Suasana baru untuk foto yang sama`,
  },
  {
    id: 'photo-layout',
    route: '/photo-layout',
    name: msg`Tata Letak Foto`,
    tagline: msg`4 sampai 8 foto dalam satu bingkai`,
  },
  {
    id: 'cartoonizer',
    route: '/ai-cartoonizer',
    name: msg`Kartun Selfie`,
    tagline: msg`Jadi komik, cat air, atau stiker`,
  },
  { id: 'colorizer', route: '/ai-colorizer', name: msg`Warnai Foto`, tagline: msg`Warna untuk foto hitam putih` },
  {
    id: 'face-cutout',
    route: '/ai-face-cutout',
    name: msg`Potong Wajah`,
    tagline: msg`Wajah siap tempel, lengkap dengan rambut`,
  },
  { id: 'swap-face', route: '/ai-swap-face', name: msg`Tukar Wajah`, tagline: msg`Tukar wajah dengan izin pemiliknya` },
  {
    id: 'video-background-removal',
    route: '/ai-video-background-removal',
    name: msg`Hapus Latar Video`,
    tagline: msg`Video tanpa latar, suara tetap`,
  },
  {
    id: 'customize-edit',
    route: '/customize-edit',
    name: msg`Edit Khusus`,
    tagline: msg`Ceritakan maumu, desainer kami yang kerjakan`,
  },
]

/** Whether the tool can be used today. */
export function isBuilt(tool: ToolEntry): boolean {
  return Object.hasOwn(toolPanels, tool.id)
}

export const builtTools = toolList.filter(isBuilt)
export const comingTools = toolList.filter((tool) => !isBuilt(tool))
