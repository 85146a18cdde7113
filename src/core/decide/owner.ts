import type { Invocation } from '../model/facts.js'
import type { Span } from '../model/span.js'
import { PASSES_ON } from './over-broad.js'

const covers = (outer: Span, inner: Span): boolean => outer[0] <= inner[0] && outer[1] >= inner[1]
const lengthOf = ([from, to]: Span): number => to - from

/** Those that stand closest around a place: a command and what is run through it, and not what the command is an argument of. */
function partsAt(place: Span, parts: readonly Invocation[]): readonly Invocation[] {
  let closest: Invocation[] = []
  for (const part of parts) {
    if (part.implied || !covers(part.span, place)) continue
    const [known] = closest
    if (known === undefined || lengthOf(part.span) < lengthOf(known.span)) closest = [part]
    else if (lengthOf(part.span) === lengthOf(known.span)) closest.push(part)
  }
  return closest
}

const passesOn = ({ program }: Invocation): boolean => program !== null && PASSES_ON.has(program)

function outermost(parts: readonly Invocation[]): Invocation | undefined {
  const [first, ...rest] = parts
  return first && rest.reduce((outer, part) => (part.via.length < outer.via.length ? part : outer), first)
}

/** Whose code is at this place: the outermost of those there that do more than pass on. `docker run image ls` runs code of the image. */
export function ownerAt(place: Span, parts: readonly Invocation[]): Invocation | undefined {
  const there = partsAt(place, parts)
  return outermost(there.filter((part) => !passesOn(part))) ?? outermost(there)
}

/** The owner of the code at a place, and what it is run through: a rule in favour of one of these is one in favour of the code. */
export function ownersAt(place: Span, parts: readonly Invocation[]): readonly Invocation[] {
  const owner = ownerAt(place, parts)
  return owner ? partsAt(place, parts).filter(({ via }) => via.length <= owner.via.length) : []
}
