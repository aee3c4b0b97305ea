# For the test suite of dpmaster, which gives a master half a second to start: it gets three, and the clock of the suite
# stands still meanwhile. A busy machine needs it. Used as: PERL5OPT="-I test/support/dpmaster -MPatientSuite"
package PatientSuite;
use strict;
use warnings;
use Time::HiRes ();

my $stoodStill = 0;
my ($sleep, $time) = (\&Time::HiRes::sleep, \&Time::HiRes::time);

no warnings 'redefine';
*Time::HiRes::time = sub { $time->() - $stoodStill };
*Time::HiRes::sleep = sub {
	return $sleep->($_[0]) if $_[0] != 0.5;
	$stoodStill += 2.5;
	return $sleep->(3);
};

1;
