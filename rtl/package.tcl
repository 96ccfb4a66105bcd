# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Packages the engine of one overlay as an IP core for Vivado's IP Integrator.
#
# THIS SCRIPT HAS NOT BEEN RUN IN VIVADO. It is written from the public documentation of its commands
# (UG835, UG1118). make check runs it with stand-ins for them, which shows that it takes the right
# files, and nothing more.
#
#	nfacc --emit=verilog --overlay OVERLAY -o DIR/nfacc_overlay.vh
#	vivado -mode batch -source rtl/package.tcl -tclargs DIR [OUT [PART]]
#
# DIR is the folder of nfacc_overlay.vh, OUT where the core is put (default: nfacc_ip), PART any part
# of an UltraScale+ family that is installed (default: the first of them). Another overlay is another
# core: run it again with another OUT.

set rtl [file dirname [file normalize [info script]]]
if {$argc < 1 || $argc > 3} {
	error "package.tcl: arguments: DIR OUT PART"
}
set overlay [file join [lindex $argv 0] nfacc_overlay.vh]
set out [expr {$argc > 1 ? [lindex $argv 1] : "nfacc_ip"}]
if {![file exists $overlay]} {
	error "package.tcl: $overlay is not there: nfacc --emit=verilog makes it"
}
set sources {}
set list [open [file join $rtl nfacc.f]]
foreach line [split [read $list] "\n"] {
	if {$line ne "" && ![string match "//*" $line]} {
		lappend sources [file join $rtl $line]
	}
}
close $list
set headers [list [file join $rtl nfacc_contract.vh] $overlay]

# All in one folder of the core: there the include directives find the headers.
file mkdir [file join $out src]
set copies {}
foreach f [concat $headers $sources] {
	file copy -force $f [file join $out src]
	lappend copies [file join $out src [file tail $f]]
}

if {$argc > 2} {
	set part [lindex $argv 2]
} else {
	set part [lindex [get_parts -filter {FAMILY =~ *uplus*}] 0]
}
create_project -in_memory -part $part
add_files -norecurse $copies
set_property file_type {Verilog Header} [get_files *.vh]
set_property include_dirs [list [file join $out src]] [current_fileset]
set_property top nfacc_engine [current_fileset]
update_compile_order -fileset sources_1

ipx::package_project -root_dir $out -vendor nfacc -library user -taxonomy /UserIP -force
set core [ipx::current_core]
set_property name nfacc_engine $core
set_property version 1.0 $core
set_property display_name {nfacc engine} $core
set_property description {Engine for filters over hardware event streams} $core
set_property supported_families {
	virtexuplus Production virtexuplusHBM Production kintexuplus Production
	zynquplus Production artixuplus Production
} $core

# The primitives. What the overlay says is fixed: its numbers depend on each other.
foreach p [ipx::get_user_parameters -of_objects $core] {
	set name [get_property name $p]
	if {$name eq "XILINX"} {
		set_property value 1 $p
		set_property value 1 [ipx::get_hdl_parameters XILINX -of_objects $core]
	}
	if {$name ne "OUT_DEPTH" && $name ne "Component_Name"} {
		set_property enablement_value false $p
	}
}

# Interfaces: those that the names of the ports did not tell yet.
proc interface {name kind core} {
	if {[llength [ipx::get_bus_interfaces $name -of_objects $core]] == 0} {
		ipx::infer_bus_interfaces xilinx.com:interface:$kind:1.0 $core
	}
	if {[llength [ipx::get_bus_interfaces $name -of_objects $core]] != 1} {
		error "package.tcl: no interface $name was found in the ports"
	}
}
proc signal {name kind core} {
	if {[llength [ipx::get_bus_interfaces $name -of_objects $core]] == 0} {
		ipx::infer_bus_interface $name xilinx.com:signal:$kind:1.0 $core
	}
}
proc parameter {interface name value core} {
	set i [ipx::get_bus_interfaces $interface -of_objects $core]
	if {[llength [ipx::get_bus_parameters $name -of_objects $i]] == 0} {
		ipx::add_bus_parameter $name $i
	}
	set_property value $value [ipx::get_bus_parameters $name -of_objects $i]
}
interface s_axil aximm_rtl $core
interface m_axis axis_rtl $core
signal clk clock_rtl $core
signal rst reset_rtl $core
parameter rst POLARITY ACTIVE_HIGH $core
parameter clk ASSOCIATED_RESET rst $core
parameter clk ASSOCIATED_BUSIF s_axil:m_axis $core

# Registers: 4 KiB.
foreach map [ipx::get_memory_maps -of_objects $core] {
	foreach block [ipx::get_address_blocks -of_objects $map] {
		set_property range 4096 $block
	}
}

set_property core_revision 1 $core
ipx::create_xgui_files $core
ipx::update_checksums $core
ipx::check_integrity $core
ipx::save_core $core
close_project
puts "package.tcl: the core is in $out"
