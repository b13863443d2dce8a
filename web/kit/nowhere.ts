// At 0,0 is the sea: somebody's list had no coordinates, or a receiver is broken.
export const isNowhere = (latitude: number | undefined, longitude: number | undefined) => latitude === 0 && longitude === 0;
