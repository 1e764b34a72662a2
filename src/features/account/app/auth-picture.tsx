import { useId } from 'react'

const size = { width: 720, height: 480 }

/** A photograph whose right half has lost its background, on a field of kawung flowers. */
export function AuthPicture() {
  const id = useId()
  return (
    <div className="relative hidden min-h-[32rem] place-items-center overflow-hidden rounded-[2rem] bg-soft lg:grid">
      <svg className="absolute inset-0 size-full" aria-hidden="true">
        <defs>
          <pattern id={id} width="56" height="56" patternUnits="userSpaceOnUse">
            <g fill="var(--color-primary)" opacity="0.13">
              <ellipse cx="14" cy="14" rx="6" ry="14" transform="rotate(-45 14 14)" />
              <ellipse cx="42" cy="14" rx="6" ry="14" transform="rotate(45 42 14)" />
              <ellipse cx="42" cy="42" rx="6" ry="14" transform="rotate(45 42 42)" />
              <ellipse cx="14" cy="42" rx="6" ry="14" transform="rotate(-45 14 42)" />
            </g>
          </pattern>
        </defs>
        <rect width="100%" height="100%" fill={`url(#${id})`} />
      </svg>
      <div className="relative aspect-[6/5] w-4/5 overflow-hidden rounded-[1.5rem] bg-[#ffd596] shadow-lift">
        <img
          src="/samples/coffee-cutout.webp"
          alt=""
          loading="lazy"
          className="absolute inset-0 size-full object-cover object-[38%_50%]"
          {...size}
        />
        <img
          src="/samples/coffee.webp"
          alt=""
          loading="lazy"
          className="absolute inset-0 size-full object-cover object-[38%_50%] [clip-path:inset(0_54%_0_0)]"
          {...size}
        />
      </div>
    </div>
  )
}
