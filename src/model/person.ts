import type { Meta } from './common.ts';

/** A user account. REST spec, Person. */
export interface Person {
  readonly systemId: string;
  readonly email: string | null;
  readonly firstName: string | null;
  readonly middleName: string | null;
  readonly lastName: string | null;
  readonly officePhone: string | null;
  readonly mobilePhone: string | null;
  readonly unitName: string | null;
  readonly deputy: Deputy | null;
  readonly meta: Meta | null;
}

interface Deputy {
  readonly personId: string;
  readonly enabled: boolean;
}

export interface PersonChange {
  readonly password?: string;
  readonly firstName?: string;
  readonly middleName?: string;
  readonly lastName?: string;
  readonly officePhone?: string;
  readonly mobilePhone?: string;
  readonly unitName?: string;
  readonly deputy?: Deputy;
}
