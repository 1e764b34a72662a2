import { type ImageFormat, imageFormatInfo, imageFormats } from '#shared/media.ts'

export const formatNames: Record<ImageFormat, string> = { png: 'PNG', webp: 'WebP', jpeg: 'JPEG' }

const otherNames: Record<string, string> = {
  'application/pdf': 'PDF',
  'application/zip': 'ZIP',
  'video/webm': 'WebM',
  'video/mp4': 'MP4',
}

export function formatName(contentType: string): string {
  const known = imageFormats.find((format) => imageFormatInfo[format].contentType === contentType)
  return known ? formatNames[known] : (otherNames[contentType] ?? contentType)
}
